/** The regions in which an application runs. */
@NullMarked
package io.weir.internal.control.admin.regions;

import org.jspecify.annotations.NullMarked;
