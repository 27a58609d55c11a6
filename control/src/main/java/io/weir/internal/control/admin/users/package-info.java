/** Administers the tiers, own limits and quotas of users. */
@NullMarked
package io.weir.internal.control.admin.users;

import org.jspecify.annotations.NullMarked;
