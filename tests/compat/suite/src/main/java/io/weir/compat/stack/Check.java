package io.weir.compat.stack;

import org.junit.jupiter.api.function.Executable;

/**
 * One check of a stack.
 *
 * @param number from 1
 * @param text what must hold
 * @param test fails if it doesn't
 */
record Check(int number, String text, Executable test) {}
