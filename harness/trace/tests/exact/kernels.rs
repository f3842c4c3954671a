//! Functions in assembly whose counts follow from their text.

use std::arch::global_asm;

global_asm!(
    ".irp name, iterations, copy, flags, table, calls, identity, factorial, repeated, compress, odd",
    ".globl \\name",
    ".endr",
    // iterations(n): n iterations of two instructions, and a return.
    "iterations:",
    "2: dec rdi",
    "jnz 2b",
    "ret",
    // copy(to, from, n): n iterations of one load and one store.
    "copy:",
    "2: mov rax, [rsi + rdx*8 - 8]",
    "mov [rdi + rdx*8 - 8], rax",
    "dec rdx",
    "jnz 2b",
    "ret",
    // flags(a, b): one conditional branch of each kind behind the same comparison; all targets are the next
    // instruction but one.
    "flags:",
    "xor eax, eax",
    ".irp condition, o, no, b, ae, e, ne, be, a, s, ns, p, np, l, ge, le, g",
    "cmp rdi, rsi",
    "j\\condition 3f",
    "inc eax",
    "3:",
    ".endr",
    "ret",
    // table(n): jumps to one of three places.
    "table:",
    "lea rax, [rip + 5f]",
    "movsxd rcx, dword ptr [rax + rdi*4]",
    "add rax, rcx",
    "jmp rax",
    "5: .long 6f - 5b",
    ".long 7f - 5b",
    ".long 8f - 5b",
    "6: mov eax, 10",
    "ret",
    "7: mov eax, 20",
    "nop",
    "ret",
    "8: mov eax, 30",
    "nop",
    "nop",
    "ret",
    // calls(f): calls f twice through a register and once from memory, and `iterations(3)` directly.
    "calls:",
    "push rbx",
    "push rdi",
    "mov rbx, rdi",
    "call rbx",
    "call rbx",
    "call [rsp]",
    "mov edi, 3",
    "call iterations",
    "pop rdi",
    "pop rbx",
    "ret",
    // identity(x): what `calls` calls.
    "identity:",
    "mov rax, rdi",
    "ret",
    // factorial(n): calls itself.
    "factorial:",
    "mov eax, 1",
    "test rdi, rdi",
    "jz 4f",
    "push rdi",
    "dec rdi",
    "call factorial",
    "pop rdi",
    "imul rax, rdi",
    "4: ret",
    // repeated(to, from, n): one string instruction that copies n bytes.
    "repeated:",
    "mov rcx, rdx",
    "rep movsb",
    "ret",
    // compress(to): an AVX-512 instruction that writes up to 64 bytes, behind one that reads 64.
    "compress:",
    "vmovdqu64 zmm0, [rdi]",
    "vpcompressb [rdi + 64], zmm0",
    "vzeroupper",
    "ret",
    // odd(n): a branch that the breakpoints do not support.
    "odd:",
    "mov rcx, rdi",
    "jrcxz 2f",
    "nop",
    "2: ret",
);

unsafe extern "C" {
    pub(crate) safe fn iterations(n: u64);
    pub(crate) safe fn copy(to: *mut u64, from: *const u64, n: u64);
    pub(crate) safe fn flags(a: i64, b: i64) -> u32;
    pub(crate) safe fn table(n: u64) -> u32;
    pub(crate) safe fn calls(function: extern "C" fn(u64) -> u64);
    pub(crate) safe fn identity(x: u64) -> u64;
    pub(crate) safe fn factorial(n: u64) -> u64;
    pub(crate) safe fn repeated(to: *mut u8, from: *const u8, n: u64);
    pub(crate) safe fn compress(to: *mut u8);
    pub(crate) safe fn odd(n: u64);
}
