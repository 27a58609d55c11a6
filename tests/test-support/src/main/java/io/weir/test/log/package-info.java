/** Loggers of tests. */
package io.weir.test.log;
