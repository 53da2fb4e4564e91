//! The number formats of a checkpoint.

use std::str::FromStr;

use half::{bf16, f16};

/// The format of the parameters and of the results of each operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// 32 bits.
    #[default]
    Float32,
    /// 16 bits with the range of 32.
    Bfloat16,
    /// 16 bits by IEEE 754.
    Float16,
}

impl Precision {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Float32, Self::Bfloat16, Self::Float16];

    /// The name in PyTorch.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Float32 => "float32",
            Self::Bfloat16 => "bfloat16",
            Self::Float16 => "float16",
        }
    }

    /// The number of bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Float32 => 4,
            Self::Bfloat16 | Self::Float16 => 2,
        }
    }

    /// A number that the format tells from the next one, which formats with fewer digits do not, whether they round to
    /// the nearest number or down.
    pub const fn told(self) -> f64 {
        match self {
            // Numbers of `float16`, and of TF32, are 4 apart.
            Self::Float32 => 4096.0,
            // Numbers of `bfloat16` are 4 apart.
            Self::Float16 => 512.0,
            // Integers of 8 bits, as multiples of 1/127 or 1/128 of the greatest, are both the greatest.
            Self::Bfloat16 => 255.0,
        }
    }

    /// The nearest number of the format.
    pub fn round(self, value: f32) -> f32 {
        match self {
            Self::Float32 => value,
            Self::Bfloat16 => bf16::from_f32(value).to_f32(),
            Self::Float16 => f16::from_f32(value).to_f32(),
        }
    }

    /// Numbers as bytes, the lowest first.
    pub fn encode(self, values: &[f32]) -> Vec<u8> {
        match self {
            Self::Float32 => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            Self::Bfloat16 => values.iter().flat_map(|value| bf16::from_f32(*value).to_le_bytes()).collect(),
            Self::Float16 => values.iter().flat_map(|value| f16::from_f32(*value).to_le_bytes()).collect(),
        }
    }

    /// The numbers of bytes.
    pub fn decode(self, bytes: &[u8]) -> Vec<f32> {
        match self {
            Self::Float32 => bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            Self::Bfloat16 => bytes.as_chunks().0.iter().map(|bytes| bf16::from_le_bytes(*bytes).to_f32()).collect(),
            Self::Float16 => bytes.as_chunks().0.iter().map(|bytes| f16::from_le_bytes(*bytes).to_f32()).collect(),
        }
    }
}

/// The names, as an error lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownPrecision;

impl FromStr for Precision {
    type Err = UnknownPrecision;

    fn from_str(name: &str) -> Result<Self, UnknownPrecision> {
        Self::ALL.into_iter().find(|precision| precision.name() == name).ok_or(UnknownPrecision)
    }
}
