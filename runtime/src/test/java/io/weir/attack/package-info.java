/** What tests that attack have in common. */
@NullMarked
package io.weir.attack;

import org.jspecify.annotations.NullMarked;
