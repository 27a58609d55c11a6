/** Tests of both starters. */
@NullMarked
package io.weir.spring.rules;

import org.jspecify.annotations.NullMarked;
