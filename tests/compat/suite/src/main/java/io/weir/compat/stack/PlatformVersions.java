package io.weir.compat.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.compat.stack.platform.Library;
import io.weir.compat.stack.platform.LocalRepository;
import io.weir.compat.stack.platform.ManagedVersions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Checks that the application of a stack runs with the versions that its platform manages, and not
 * with those of Weir's own build. Needs {@code maven-model-builder} on the class path of the tests,
 * as all modules below {@code weir-stacks} have it.
 */
public abstract class PlatformVersions {
  private final List<ManagedVersions> platforms = new ArrayList<>();
  private final Set<ManagedVersions> used = new HashSet<>();
  private final Set<String> unusedExceptions = new HashSet<>();
  private final List<String> mistakes = new ArrayList<>();

  /** For subclasses. */
  protected PlatformVersions() {}

  /**
   * Names the POMs that manage the platform's versions: a BOM, or the parent of its libraries. Each
   * is read in the version of the application's libraries of the same group.
   *
   * @return such as {@code io.dropwizard:dropwizard-dependencies}; the first that manages a library
   *     decides
   */
  protected abstract List<String> platforms();

  /**
   * Names the libraries whose version isn't the platform's.
   *
   * @return the reason by group and artifact, such as {@code org.jspecify:jspecify}
   */
  protected Map<String, String> exceptions() {
    return Map.of();
  }

  @Test
  void applicationHasTheVersionsOfItsPlatform() throws IOException {
    String classPath =
        Files.readString(Path.of(System.getProperty(StackProcess.LIBRARIES))).strip();
    LocalRepository repository = LocalRepository.of(classPath);
    List<Library> libraries = repository.libraries(classPath);
    for (String each : platforms()) {
      platforms.add(ManagedVersions.of(each, libraries, repository));
    }
    unusedExceptions.addAll(exceptions().keySet());
    libraries.forEach(this::compare);
    platforms.stream()
        .filter(each -> !used.contains(each))
        .forEach(each -> mistakes.add(each + " manages none of the application's libraries"));
    unusedExceptions.forEach(
        each -> mistakes.add(each + " is no exception: it can leave the list"));
    assertEquals(List.of(), mistakes);
  }

  private void compare(Library library) {
    Optional<ManagedVersions> platform =
        platforms.stream().filter(each -> each.version(library).isPresent()).findFirst();
    platform.ifPresent(used::add);
    Optional<String> managed = platform.flatMap(each -> each.version(library));
    if (managed.isPresent()
        && !managed.get().equals(library.version())
        && !unusedExceptions.remove(library.name())) {
      mistakes.add(library + ", but " + platform.get() + " manages " + managed.get());
    }
  }
}
