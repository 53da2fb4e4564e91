//! QKVL and weights files with random changes have the properties that fuzzing checks.

use psl_runtime::MachineKind;

use crate::{
    common::{files, random::Random},
    fuzz_running,
};

/// The number of inputs, and of those that ran on all machines or on some.
#[derive(Debug, Default)]
struct Survivors {
    inputs: usize,
    on_all: usize,
    on_some: usize,
}

impl Survivors {
    fn count(&mut self, machines: usize) {
        self.inputs += 1;
        self.on_all += usize::from(machines == MachineKind::ALL.len());
        self.on_some += usize::from(machines > 0);
    }

    /// At least one in `one_in` inputs must run on all machines, and some input only on some of them.
    fn check(&self, one_in: usize) {
        println!("{self:?}");
        assert!(self.inputs > 0, "no inputs");
        assert!(self.on_all * one_in >= self.inputs, "too few inputs run: {self:?}");
        assert!(self.on_some > self.on_all, "every input that runs on some machine runs on all: {self:?}");
    }
}

#[test]
fn changed_qkvl_has_the_properties() {
    let mut random = Random::new(1);
    let mut survivors = Survivors::default();
    for path in files("golden/qkvl", ".json").iter().filter(|path| !path.ends_with("pargen.json")) {
        let text = std::fs::read_to_string(path).expect("UTF-8");
        assert!(fuzz_running::qkvl_runs(&text) > 0, "{} does not run", path.display());
        let strings: Vec<&str> = text.split('"').skip(1).step_by(2).collect();
        for _ in 0..100 {
            let [one, other] = [(); 2].map(|()| strings[random.below(strings.len() as u64) as usize]);
            let mut places: Vec<usize> = text.match_indices(&format!("\"{one}\"")).map(|(place, _)| place).collect();
            let place = places.swap_remove(random.below(places.len() as u64) as usize) + 1;
            survivors.count(fuzz_running::qkvl_runs(&[&text[..place], other, &text[place + one.len()..]].concat()));
        }
    }
    survivors.check(10);
}

#[test]
fn changed_weights_have_the_properties() {
    let mut random = Random::new(2);
    let mut survivors = Survivors::default();
    for _ in 0..1_000 {
        let length = 1 + 4 * random.below(6);
        let data: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        fuzz_running::weights(&data);
        survivors.count(fuzz_running::weights_runs(&fuzz_running::changed(&data)));
    }
    survivors.check(10);
}
