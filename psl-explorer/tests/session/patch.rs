//! Values of the second run in the first one.

use serde_json::{Value, json};

use crate::{PARGEN, Page, list};

const COPIES: &str = "Q B V D E A B V D E . Q F G H V K L A";
const SWAPS: &str = "Q B V D E A D E V B . Q F G H V K L A";

fn page(donor: &str) -> Page {
    let (mut page, _) = Page::with_run(PARGEN, COPIES);
    page.run(1, donor);
    page
}

#[test]
fn each_place_has_its_effect() {
    let mut page = page(SWAPS);
    let (mut places, mut changing) = (0, 0);
    for register in 0..16 {
        let patches = page.ask(json!({"op": "patch", "register": register}));
        assert_eq!(list(&patches["rows"]).len(), 85);
        let effects = list(&patches["effects"]);
        assert_eq!(patches["places"][register], effects.len());
        places += effects.len();
        changing += effects.iter().filter(|effect| effect["changes"] != 0).count();
        assert!(effects.iter().all(|effect| effect["restores"] == false));
    }
    // The figures of `psl patch --by layer,pass,cell,register`.
    assert_eq!((places, changing), (951, 305));
}

#[test]
fn an_effect_is_that_of_the_run_with_the_set_value() {
    let mut page = page(SWAPS);
    let patches = page.ask(json!({"op": "patch", "register": 0}));
    let changes = |effect: &&Value| effect["changes"] != 0;
    let effect = list(&patches["effects"]).iter().find(changes).expect("a patch that changes the continuation");
    let row = &patches["rows"][usize::try_from(effect["row"].as_u64().expect("a number")).expect("a row")];
    let set = json!([{"layer": row["layer"], "pass": row["pass"], "cell": effect["cell"], "register": "symbol", "value": effect["value"]}]);
    let run = json!({"op": "run", "slot": 0, "prompt": COPIES, "machine": "dat", "set": set});
    assert_eq!(page.ask(run)["continuation"], effect["continuation"]);
    // Patches do not add up: those of the changed run are still those of the run as it is.
    assert_eq!(page.ask(json!({"op": "patch", "register": 0})), patches);
}

#[test]
fn the_register_with_the_most_places_comes_first() {
    let patches = page(SWAPS).ask(json!({"op": "patch"}));
    let places: Vec<u64> = list(&patches["places"]).iter().filter_map(Value::as_u64).collect();
    let chosen = patches["register"].as_u64().and_then(|register| usize::try_from(register).ok()).expect("a register");
    assert_eq!(places.get(chosen), places.iter().max());
    let same = page(COPIES).ask(json!({"op": "patch"}));
    assert_eq!((&same["effects"], &same["register"]), (&json!([]), &json!(0)));
}

#[test]
fn a_register_beyond_the_limit_is_not_the_default() {
    let idle = "where mark[N] == A:\n    mark[N] = A\n".repeat(52);
    let text = format!(
        "registers: {{symbol: 's', position: 'p', mark: 'm'}}\nconstants: {{A}}\n\
         system: {{symbol: symbol, position: position, output: symbol}}\n{idle}\
         where position[N] != position[n] and symbol[N] == symbol[n]:\n    mark[N] = symbol[n]\n"
    );
    let mut page = Page::new(&text);
    for (slot, symbol) in [(0, "x "), (1, "y ")] {
        let prompt = symbol.repeat(100);
        page.ask(json!({"op": "run", "slot": slot, "prompt": prompt, "machine": "dat", "max_new": 1}));
    }
    let patches = page.ask(json!({"op": "patch"}));
    assert_eq!((&patches["places"], &patches["register"]), (&json!([5300, 0, 100]), &json!(2)));
    let refused = page.refusal(json!({"op": "patch", "register": 0}));
    assert!(refused.starts_with("5300 values of the register differ"), "{refused}");
}

#[test]
fn prompts_of_different_lengths_need_an_alignment() {
    let mut page = page("Q D E V B");
    let lengths = "the prompts have 19 cells and 5 cells: name those that correspond, as in `--align 1-3:1-3,4:6`";
    assert_eq!(page.refusal(json!({"op": "patch"})), lengths);
    let patches = page.ask(json!({"op": "patch", "register": 0, "align": "2:2"}));
    assert!(list(&patches["effects"]).iter().all(|effect| effect["cell"] == 2));
    let refused = page.refusal(json!({"op": "patch", "align": "2"}));
    assert!(refused.starts_with("`2` is not a pair of cells"), "{refused}");
    let refused = page.refusal(json!({"op": "patch", "align": "20:1"}));
    assert_eq!(refused, "cell 20 is out of range: the prompt that is patched has 19 cells");
}

#[test]
fn patches_need_two_runs() {
    let (mut page, _) = Page::with_run(PARGEN, COPIES);
    assert_eq!(page.refusal(json!({"op": "patch"})), "slot 1 does not have a run");
}
