package io.weir.compat.stack.platform;

/**
 * A library of the application.
 *
 * @param group such as {@code org.apache.cxf}
 * @param artifact such as {@code cxf-core}
 * @param classifier empty if it has none
 * @param version such as {@code 4.1.7}
 */
public record Library(String group, String artifact, String classifier, String version) {
  /**
   * Returns its group and artifact.
   *
   * @return such as {@code org.apache.cxf:cxf-core}
   */
  public String name() {
    return group + ":" + artifact;
  }

  @Override
  public String toString() {
    return name() + " is " + version;
  }
}
