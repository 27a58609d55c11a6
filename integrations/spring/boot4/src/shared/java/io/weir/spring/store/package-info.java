/** Tests of both starters. */
@NullMarked
package io.weir.spring.store;

import org.jspecify.annotations.NullMarked;
