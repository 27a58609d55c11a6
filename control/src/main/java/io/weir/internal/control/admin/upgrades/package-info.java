/** Lists and decides requests for another tier. */
@NullMarked
package io.weir.internal.control.admin.upgrades;

import org.jspecify.annotations.NullMarked;
