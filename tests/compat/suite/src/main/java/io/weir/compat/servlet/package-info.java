/**
 * Tests the servlet adapter on every servlet container: contracts as interfaces whose default
 * methods are tests, and the application that each test starts.
 */
@NullMarked
package io.weir.compat.servlet;

import org.jspecify.annotations.NullMarked;
