//! QKVL and weights files with random changes have the properties that fuzzing looks for.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail by panic")]

mod common;

use common::{files, random::Random};

#[path = "../../tests/fuzz/running.rs"]
mod running;

#[test]
fn changed_qkvl_has_the_properties() {
    let mut random = Random::new(1);
    for path in files("golden/qkvl", ".json").iter().filter(|path| !path.ends_with("pargen.json")) {
        let text = std::fs::read_to_string(path).expect("UTF-8");
        running::qkvl(&text);
        let strings: Vec<&str> = text.split('"').skip(1).step_by(2).collect();
        for _ in 0..100 {
            let [one, other] = [(); 2].map(|()| strings[random.below(strings.len() as u64) as usize]);
            let mut places: Vec<usize> = text.match_indices(&format!("\"{one}\"")).map(|(place, _)| place).collect();
            let place = places.swap_remove(random.below(places.len() as u64) as usize) + 1;
            running::qkvl(&[&text[..place], other, &text[place + one.len()..]].concat());
        }
    }
}

#[test]
fn changed_weights_have_the_properties() {
    let mut random = Random::new(2);
    for _ in 0..1_000 {
        let length = 1 + 4 * random.below(6);
        let data: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        running::weights(&data);
        running::weights(&running::changed(&data));
    }
}
