//! PSM = QKVM = DAT on every register of every cell after every layer, for random programs and prompts.
//!
//! `CASES=100000 cargo test -p psl-runtime --release --test agreement -- --nocapture` runs more than the usual 2,000, and
//! prints what they exercised.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use common::coverage::Coverage;
use psl_runtime::trace::Names;
use psl_runtime::{MachineKind, VerifyError, qkvl};

fn check(seed: u64, coverage: &mut Coverage) {
    let (executable, task) = common::random_task(seed);
    let shown = executable.qkvl.to_json();
    assert_eq!(qkvl::Program::from_json(&shown).as_ref(), Ok(&executable.qkvl), "seed {seed}");

    let result = executable.verify(&task);
    if let Err(VerifyError::Diverged(divergence)) = &result {
        let labels = executable.labels();
        let names = Names { registers: &executable.registers, vocabulary: &task.vocabulary, labels: &labels };
        panic!("seed {seed}: {}\n{divergence:#?}\n{shown}", divergence.message(&names));
    }
    let (_, trace) = common::traced(&executable, MachineKind::Psm, &task);
    coverage.run(&executable, &task, &result, &trace);
}

#[test]
fn the_machines_agree() {
    let cases = std::env::var("CASES").map_or(2_000, |cases| cases.parse().unwrap());
    let mut coverage = Coverage::default();
    for seed in 0..cases {
        check(seed, &mut coverage);
    }
    println!("{coverage}");
    // Fewer cases may miss the rare constructs.
    if cases >= 2_000 {
        assert_eq!(coverage.rows.len(), 62, "a construct does not occur any more, or one more does");
        for (construct, row) in &coverage.rows {
            assert!(row.fired >= 20, "`{construct}` hardly ever comes to anything");
            let of_rules = ["action", "condition", "production"].iter().any(|kind| construct.starts_with(kind));
            assert!(!of_rules || 10 * row.fired >= row.occurred, "`{construct}` comes to anything too seldom");
            assert!(row.decided.is_none_or(|decided| decided >= 10), "`{construct}` hardly ever decides");
        }
    }
}
