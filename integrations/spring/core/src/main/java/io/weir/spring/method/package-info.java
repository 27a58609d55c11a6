/** Limits the annotated methods of beans, wherever they are called. */
@NullMarked
package io.weir.spring.method;

import org.jspecify.annotations.NullMarked;
