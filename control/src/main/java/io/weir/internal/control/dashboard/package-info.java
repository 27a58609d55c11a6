/** What users see of themselves. */
@NullMarked
package io.weir.internal.control.dashboard;

import org.jspecify.annotations.NullMarked;
