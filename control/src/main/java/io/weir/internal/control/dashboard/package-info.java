/** Shows signed-in users their own limits and usage. */
@NullMarked
package io.weir.internal.control.dashboard;

import org.jspecify.annotations.NullMarked;
