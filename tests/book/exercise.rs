//! Exercises: a program with tests that fail, and its solution.

use std::fs;

use super::{
    blocks::{CodeBlock, Directive, Failure},
    folder::Folder,
};

/// Writes the program of an exercise, and tests that it is not solved.
pub fn start(folder: &Folder, block: &CodeBlock, name: &str, other: Option<&str>) -> Result<(), String> {
    let above = match other {
        Some(other) => fs::read_to_string(folder.file(other)).map_err(|_| format!("`{other}` does not exist"))? + "\n",
        None => String::new(),
    };
    folder.write(name, &(above + &block.text));
    if tests(block).next().is_none() {
        return Err("the exercise has no tests".to_owned());
    }
    match folder.bash(&format!("psl test '{name}'")) {
        (_, 0) => Err(format!("`{name}` is solved from the start")),
        _ => Ok(()),
    }
}

fn tests(block: &CodeBlock) -> impl Iterator<Item = &str> {
    block.text.lines().filter(|line| line.starts_with("//@ test "))
}

/// Tests the solutions of a page after its last block.
pub fn solved(folder: &Folder, blocks: &[CodeBlock]) -> Vec<Failure> {
    let test = |block: &CodeBlock| {
        let Some(Directive::Exercise(name, _)) = &block.directive else { return None };
        let solution = fs::read_to_string(folder.file(name)).ok()?;
        let has_tests = tests(block).all(|test| solution.lines().any(|line| line == test));
        let added = if has_tests { String::new() } else { format!("\n{}", block.text) };
        folder.write("solution.psl", &(solution + &added));
        match folder.bash("psl test solution.psl") {
            (_, 0) => None,
            (output, _) => Some(Failure::new(block.line, format!("`{name}` is not solved on this page:\n{output}"))),
        }
    };
    blocks.iter().filter_map(test).collect()
}
