/** Keeps buckets in this process, and runs the algorithms itself. */
@NullMarked
package io.weir.internal.inprocess;

import org.jspecify.annotations.NullMarked;
