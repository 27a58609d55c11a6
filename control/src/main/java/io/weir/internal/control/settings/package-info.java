/** The settings of the control API. */
@NullMarked
package io.weir.internal.control.settings;

import org.jspecify.annotations.NullMarked;
