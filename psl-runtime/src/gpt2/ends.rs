//! The reasons to end a continuation before it is wrong.

/// The mark of the last symbol of a prompt.
pub const LAST: char = '⏎';

/// A reason to end a continuation. The model generates its token instead of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The prompt contains a symbol that the model does not know.
    UnknownSymbol,
    /// The prompt is longer than the model was built for.
    PromptTooLong,
    /// The prompt has no symbols.
    EmptyPrompt,
    /// A repeat block needs more passes than the model has.
    MorePasses,
    /// The continuation is longer than the model was built for.
    OutOfPositions,
    /// The tokens are not those that the tokenizer makes of a prompt.
    NotAPrompt,
    /// The engine computes with fewer digits than the model needs.
    Float32Needed,
}

impl End {
    /// All reasons.
    pub const ALL: [Self; 7] = [
        Self::UnknownSymbol,
        Self::PromptTooLong,
        Self::EmptyPrompt,
        Self::MorePasses,
        Self::OutOfPositions,
        Self::NotAPrompt,
        Self::Float32Needed,
    ];

    /// The index among all.
    pub(super) fn index(self) -> usize {
        Self::ALL.iter().position(|end| *end == self).unwrap_or_default()
    }

    /// The text of the token.
    pub const fn text(self) -> &'static str {
        match self {
            Self::UnknownSymbol => "[unknown-symbol]",
            Self::PromptTooLong => "[prompt-too-long]",
            Self::EmptyPrompt => "[empty-prompt]",
            Self::MorePasses => "[more-passes-needed]",
            Self::OutOfPositions => "[out-of-positions]",
            Self::NotAPrompt => "[not-a-prompt]",
            Self::Float32Needed => "[float32-needed]",
        }
    }

    /// The cause and the way out, as a clause for users.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::UnknownSymbol => {
                "the prompt has a symbol that the checkpoint does not know: compile it with `--vocabulary`"
            }
            Self::PromptTooLong => "the prompt is too long for the checkpoint: compile it with a larger `--max-prompt`",
            Self::EmptyPrompt => "the prompt is empty: give it one symbol at least",
            Self::MorePasses => "a repeat block needs more passes: compile the checkpoint with more `--passes`",
            Self::OutOfPositions => {
                "the continuation is too long for the checkpoint: compile it with a larger `--max-new`"
            }
            Self::NotAPrompt => {
                "the tokens are not those of a prompt: encode it by the checkpoint's tokenizer, with its special tokens"
            }
            Self::Float32Needed => {
                "the engine computes with too few digits: load the checkpoint with `dtype=torch.float32`, without autocast, TF32 or quantization"
            }
        }
    }
}
