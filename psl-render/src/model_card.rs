//! The model card of a checkpoint: what it is, how to use it, and what it is exact for.

use std::fmt::Write;

use psl_program::{BuiltCheckpoint, Exactness, count};
use psl_runtime::{
    Executable,
    gpt2::{BlockMeaning, Checkpoint, End, Precision},
};

/// The model card of a program's checkpoint, in Markdown.
pub fn model_card(title: &str, executable: &Executable, built: &BuiltCheckpoint) -> String {
    let made = &built.made;
    let mut card =
        String::from("---\nlibrary_name: transformers\npipeline_tag: text-generation\ntags:\n- psl\n---\n\n");
    let sections = [
        about(title, made),
        usage(made, built.example.as_deref()),
        exactness(made, &built.exactness),
        endings(),
        cells(made),
        layers(made),
        program(executable).unwrap_or_default(),
    ];
    card.push_str(&sections.join("\n"));
    card
}

fn about(title: &str, made: &Checkpoint) -> String {
    let model = &made.model;
    format!(
        "# {title}\n\nA program in [PSL](https://arxiv.org/abs/2410.17498), the Production System Language, as a GPT-2 with ReLU. Its weights were \
         compiled, not trained, and `psl.json` describes each of them.\n\n\
         | | |\n|---|---|\n| blocks | {} |\n| width | {} |\n| heads | {} |\n| places | {} |\n| parameters | {} |\n| dtype | {} |\n",
        model.blocks.len(),
        model.wte.columns,
        model.heads,
        model.wpe.rows,
        model.parameters(),
        model.precision.name(),
    )
}

fn usage(made: &Checkpoint, example: Option<&str>) -> String {
    let prompt = example.map_or_else(|| made.meaning.symbols.join(" "), str::to_owned);
    format!(
        "## Use\n\n```python\nimport torch\nfrom transformers import AutoModelForCausalLM, AutoTokenizer\n\n\
         tokenizer = AutoTokenizer.from_pretrained(\"DIRECTORY\")\n\
         model = AutoModelForCausalLM.from_pretrained(\"DIRECTORY\", dtype=torch.{})\n\
         prompt = tokenizer(\"{}\", return_tensors=\"pt\")\n\
         tokens = model.generate(prompt.input_ids, attention_mask=prompt.attention_mask)\n\
         print(tokenizer.decode(tokens[0, prompt.input_ids.shape[1]:], skip_special_tokens=True))\n```\n\n\
         Symbols of a prompt are separated by white space. Structured prompts cannot be given as text. In a batch, pad on the left.\n",
        made.model.precision.name(),
        prompt.replace('\\', "\\\\").replace('"', "\\\"")
    )
}

fn exactness(made: &Checkpoint, found: &Exactness) -> String {
    let (meaning, tested) = (&made.meaning, &found.tested);
    let mut text = format!(
        "## What is exact\n\nThe continuation equals that of the program, for prompts of at most {} and continuations of at most {}, with the \
         positions 0 to {}",
        count(meaning.max_prompt, "symbol"),
        count(meaning.max_new, "symbol"),
        meaning.positions
    );
    if meaning.repeats() {
        _ = write!(text, ", if no repeat block takes more than {}", count(meaning.passes, "pass"));
    }
    if let Some(end) = found.binds {
        let length = count(meaning.max_prompt, "symbol");
        _ = write!(text, ". The limit of `{}` binds first: some prompts of {length} end in it", end.text());
    }
    if tested.equal > 0 {
        _ = write!(
            text,
            ". On {}, the tests of the program among them, all {} registers of all layers were the same in an arithmetic of {}, and the best logit was at least {:.1} nats \
             above the second",
            count(tested.equal, "prompt"),
            tested.registers,
            made.model.precision.name(),
            tested.margin
        );
    }
    text.push_str(".\n");
    text.push_str(match (made.model.precision, found.digits) {
        (Precision::Float32, digits) => in_fewer_digits(digits),
        _ => "\nHalf precision is exact for short prompts only. The prompts compared include two of the greatest length.\n",
    });
    text
}

/// A sentence on engines that compute with fewer digits than float32.
const fn in_fewer_digits(digits: Precision) -> &'static str {
    match digits {
        Precision::Float32 => {
            "\nIn float16, bfloat16, TF32, autocast or 8 bits, it generates `[float32-needed]` and nothing else.\n"
        }
        Precision::Float16 => {
            "\nIn float16, it was right on the tests and on two prompts of the greatest length. In bfloat16 or 8 bits, it generates \
             `[float32-needed]` and nothing else.\n"
        }
        Precision::Bfloat16 => {
            "\nIn float16 and bfloat16, it was right on the tests and on two prompts of the greatest length. In 8 bits, it generates \
             `[float32-needed]` and nothing else.\n"
        }
    }
}

fn endings() -> String {
    let mut text = String::from(
        "## Visible ends\n\nBeyond that, the model ends its continuation with one of these tokens instead of a wrong symbol:\n\n| token | meaning |\n|---|---|\n",
    );
    for end in End::ALL {
        _ = writeln!(text, "| `{}` | {} |", end.text(), end.meaning());
    }
    text
}

fn cells(made: &Checkpoint) -> String {
    let meaning = &made.meaning;
    let registers: Vec<String> = meaning.cell.iter().map(|short| format!("`{short}`")).collect();
    let mut text = format!("## Tokens\n\nA generated symbol is {}", count(registers.len(), "token"));
    if registers.len() > 1 {
        _ = write!(
            text,
            ", for the registers {}: the symbol, what the next cell takes over, and the last one, which stands for the cell. Decoders leave out all but the \
             symbol with `skip_special_tokens=True`",
            registers.join(", ")
        );
    }
    if meaning.copies > 1 {
        _ = write!(
            text,
            ". The tokenizer repeats the prompt {} times, once more than layers look ahead: each of those reads the copy before",
            meaning.copies
        );
    }
    text.push_str(".\n");
    text
}

fn layers(made: &Checkpoint) -> String {
    let mut text = String::from("## Blocks\n\n| block | task | production |\n|---|---|---|\n");
    for (index, BlockMeaning { task, layer, production, pass, .. }) in made.meaning.blocks.iter().enumerate() {
        let layer = layer.map(|layer| format!(" {layer}")).unwrap_or_default();
        let pass = pass.iter().fold(String::new(), |text, pass| text + ", pass " + &pass.to_string());
        let production = production.as_deref().unwrap_or_default().replace('|', "\\|").replace('\n', " ");
        _ = writeln!(text, "| {index} | {task}{layer}{pass} | {production} |");
    }
    text
}

fn program(executable: &Executable) -> Option<String> {
    let text = psl_runtime::decompile(executable.qkvl()).ok()?;
    let fence = "`".repeat(3.max(text.split(|it| it != '`').map(str::len).max().unwrap_or_default() + 1));
    Some(format!("## Program\n\n{fence}text\n{}\n{fence}\n", text.trim_end()))
}
