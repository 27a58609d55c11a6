/** Settings without HTTP. */
@NullMarked
package io.weir.internal.control.settings;

import org.jspecify.annotations.NullMarked;
