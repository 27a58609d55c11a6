/** Tests what is made of the metrics: dashboards, alerts and queries. */
@org.jspecify.annotations.NullMarked
package io.weir.compat.watch;
