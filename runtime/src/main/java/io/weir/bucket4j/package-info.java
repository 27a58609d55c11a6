/** The stores of Bucket4j as Weir's; the only package that knows Bucket4j. */
@NullMarked
package io.weir.bucket4j;

import org.jspecify.annotations.NullMarked;
