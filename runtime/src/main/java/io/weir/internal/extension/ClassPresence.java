package io.weir.internal.extension;

/** Checks whether a class is on the class path, without initializing it. */
public final class ClassPresence {
  public static final String SERVLET = "jakarta.servlet.http.HttpServletRequest";

  private ClassPresence() {}

  /** Looks for a class where Weir's own are; false also if it can't be linked. */
  public static boolean isPresent(String name) {
    try {
      Class.forName(name, false, ClassPresence.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError absent) {
      return false;
    }
  }
}
