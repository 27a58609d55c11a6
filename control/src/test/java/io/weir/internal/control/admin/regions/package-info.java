@NullMarked
package io.weir.internal.control.admin.regions;

import org.jspecify.annotations.NullMarked;
