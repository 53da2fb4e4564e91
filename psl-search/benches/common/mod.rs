//! Threads for a search, and the comparison of programs.

use std::{
    env,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Instant,
};

use psl_search::Workers;
use psl_syntax::{
    Checked,
    program::{Comparison, Condition, Production},
};

/// The allocator of `psl`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// All processors, until a deadline.
pub struct AllProcessors(pub Instant);

impl Workers for AllProcessors {
    fn each(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count || self.stopped() {
                    break;
                }
                job(number);
            }
        };
        thread::scope(|scope| {
            let others = thread::available_parallelism().map_or(1, usize::from) - 1;
            (0..others).for_each(|_| {
                scope.spawn(work);
            });
            work();
        });
    }

    fn stopped(&self) -> bool {
        Instant::now() > self.0
    }

    fn tried(&self) {}
}

/// A program with `UNUSED` more constants, which nothing uses.
pub fn with_unused_constants(text: &str) -> String {
    let count: usize = env::var("UNUSED").ok().and_then(|names| names.parse().ok()).unwrap_or(0);
    let unused: Vec<String> = (0..count).map(|number| format!("OTHER{number}, ")).collect();
    text.replacen("constants: {", &format!("constants: {{{}", unused.concat()), 1)
}

/// The productions of a program. The order of conditions, of assignments and of the entries of a list has no meaning.
pub fn code(checked: &Checked) -> String {
    let production = |it: &Production| {
        let mut conditions: Vec<String> = it.conditions.iter().map(condition).collect();
        conditions.sort_unstable();
        let mut assignments: Vec<&str> = it.assignments.iter().map(|it| checked.tree.str(it.span)).collect();
        assignments.sort_unstable();
        format!("{:?} {:?} {conditions:?} {assignments:?}", it.causal_attn, it.select)
    };
    let productions = checked.analysis.program.productions().into_iter().map(production);
    productions.collect::<Vec<_>>().join("\n")
}

fn condition(condition: &Condition) -> String {
    let mut comparison = condition.comparison.clone();
    if let Comparison::In(list) | Comparison::NotIn(list) = &mut comparison {
        list.sort_unstable();
    }
    format!("{:?} {comparison:?}", condition.left)
}
