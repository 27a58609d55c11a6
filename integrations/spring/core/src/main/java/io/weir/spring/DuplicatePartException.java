package io.weir.spring;

import java.util.Collection;
import java.util.Objects;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;

/** Thrown where several beans are candidates for a part that a Weir has once. */
final class DuplicatePartException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  DuplicatePartException(Class<?> part, NoUniqueBeanDefinitionException several) {
    super(
        part.getSimpleName()
            + ": Weir uses only one bean of this type, but there are several: "
            + names(several),
        several);
  }

  DuplicatePartException(Class<?> part, String name, Class<?> one, Class<?> other) {
    super(
        part.getSimpleName()
            + ": both "
            + one.getName()
            + " and "
            + other.getName()
            + " have the name '"
            + name
            + "'");
  }

  private static String names(NoUniqueBeanDefinitionException several) {
    Collection<String> found = several.getBeanNamesFound();
    return found == null
        ? Objects.toString(several.getMessage())
        : String.join(", ", found.stream().sorted().toList());
  }
}
