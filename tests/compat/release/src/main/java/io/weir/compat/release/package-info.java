/** Checks what is published against the rules of Maven Central. */
@NullMarked
package io.weir.compat.release;

import org.jspecify.annotations.NullMarked;
