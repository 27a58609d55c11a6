package io.weir.internal.rules.database;

/** Shortens and validates the names of authors, of which rows keep at most 200 characters. */
public final class AuthorName {
  private static final int MAX_LENGTH = 200;

  private AuthorName() {}

  /**
   * Returns the first 200 characters of a name, or one less if they would end with half of a
   * surrogate pair.
   */
  public static String of(String name) {
    if (name.length() <= MAX_LENGTH) {
      return name;
    }
    boolean isCutInPair = Character.isHighSurrogate(name.charAt(MAX_LENGTH - 1));
    return name.substring(0, isCutInPair ? MAX_LENGTH - 1 : MAX_LENGTH);
  }

  /** Throws {@link IllegalArgumentException} if a name is blank or longer than 200 characters. */
  public static String checked(String author) {
    if (author.isBlank() || author.length() > MAX_LENGTH) {
      throw new IllegalArgumentException("the author must have 1 to 200 characters");
    }
    return author;
  }
}
