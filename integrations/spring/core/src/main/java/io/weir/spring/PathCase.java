package io.weir.spring;

/** Folds the case of paths where Spring finds one handler for all of them. */
public final class PathCase {
  private PathCase() {}

  /**
   * Turns a path into the one spelling by which rules match it.
   *
   * @param path a decoded path
   * @return the path in lower case, folded character by character as Spring compares them
   */
  public static String fold(String path) {
    char[] folded = path.toCharArray();
    for (int i = 0; i < folded.length; i++) {
      folded[i] = Character.toLowerCase(Character.toUpperCase(folded[i]));
    }
    return new String(folded);
  }
}
