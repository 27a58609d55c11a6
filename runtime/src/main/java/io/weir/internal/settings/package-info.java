/**
 * What operators set without a rebuild: {@code weir.…} names, their places and their re-reading.
 */
@NullMarked
package io.weir.internal.settings;

import org.jspecify.annotations.NullMarked;
