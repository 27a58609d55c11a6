/** Stores buckets in the backends that Bucket4j supports. */
@NullMarked
package io.weir.bucket4j;

import org.jspecify.annotations.NullMarked;
