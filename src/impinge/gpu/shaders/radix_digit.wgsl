// Four bits of a key, and how many keys in a row one thread takes.
const DIGITS = 16u;
const EACH = 32u;

fn digit_of(key: u32, shift: u32) -> u32 {
  return (key >> shift) & (DIGITS - 1u);
}
