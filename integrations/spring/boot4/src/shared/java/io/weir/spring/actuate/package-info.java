/** Tests of both starters. */
@NullMarked
package io.weir.spring.actuate;

import org.jspecify.annotations.NullMarked;
