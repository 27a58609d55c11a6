package io.weir.compat.rules;

/** Serves an application that is limited by the rules of a database. */
public interface RuleServing {
  /**
   * Returns the running application.
   *
   * @return the same for all tests of a class; without any rule when a test begins
   */
  RuleApp app();

  /**
   * Returns whether endpoints are templates of resources.
   *
   * @return true in JAX-RS; false where they are paths, as servlets have it
   */
  boolean hasTemplates();
}
