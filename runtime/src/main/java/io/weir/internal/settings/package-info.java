/** Settings that operators change without a rebuild: their names, places and re-reading. */
@NullMarked
package io.weir.internal.settings;

import org.jspecify.annotations.NullMarked;
