/** The admin API: rules, users, buckets, and what has happened. */
@NullMarked
package io.weir.internal.control.admin;

import org.jspecify.annotations.NullMarked;
