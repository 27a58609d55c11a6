/**
 * The checks that every stack must pass over HTTP, whatever its implementation of JAX-RS or
 * servlets: {@link io.weir.compat.stack.StackChecks}, and the small applications that they ask, in
 * a process that has only the libraries of the stack.
 */
@NullMarked
package io.weir.compat.stack;

import org.jspecify.annotations.NullMarked;
