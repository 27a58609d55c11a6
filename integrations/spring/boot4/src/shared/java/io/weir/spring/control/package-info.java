/** Tests of both starters. */
@NullMarked
package io.weir.spring.control;

import org.jspecify.annotations.NullMarked;
