/** Runs in Micronaut's compiler: turns annotations of Weir into advice. */
@NullMarked
package io.weir.micronaut.processor;

import org.jspecify.annotations.NullMarked;
