//! DATL: a program as numeric weights for the discrete-attention-only transformer.

mod bias;
mod describe;
pub mod file;
mod from_qkvl;
pub(crate) mod instructions;
mod matrix;
mod parameters;
pub mod program;
mod recognize;
mod recognize_error;
mod table;
pub mod tensors;
mod words;

pub use bias::Bias;
pub use describe::{Attribute, BlockInfo, describe};
pub use from_qkvl::weights;
pub use instructions::{Form, InstructionBlock, Instructions, Slot};
pub use matrix::Matrix;
pub(crate) use matrix::nonzero;
pub(crate) use parameters::layers;
pub use parameters::{Affine, HeadWeights, Matching, Repeat, WeightBlock, Weights, WeightsBlock};
pub use recognize::recognize;
pub use recognize_error::{Cause, RecognizeError};
pub use table::Kind;
pub use words::summary;
