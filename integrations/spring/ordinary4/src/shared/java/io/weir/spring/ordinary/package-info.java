/** An application as most are: a table, JDBC, a controller, a cache and health. */
package io.weir.spring.ordinary;
