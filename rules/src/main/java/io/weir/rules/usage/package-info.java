/** Usage by user, endpoint, hour and day; violations, and the callers refused most. */
@NullMarked
package io.weir.rules.usage;

import org.jspecify.annotations.NullMarked;
