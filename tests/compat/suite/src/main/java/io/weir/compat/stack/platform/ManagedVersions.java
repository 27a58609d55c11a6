package io.weir.compat.stack.platform;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.DependencyManagement;
import org.apache.maven.model.Model;
import org.apache.maven.model.building.DefaultModelBuilderFactory;
import org.apache.maven.model.building.DefaultModelBuildingRequest;
import org.apache.maven.model.building.ModelBuildingException;
import org.apache.maven.model.building.ModelBuildingRequest;
import org.apache.maven.model.resolution.UnresolvableModelException;

/**
 * The versions that a POM manages, itself or by its parents and imports, as Maven would read it.
 *
 * <p>Immutable.
 */
public final class ManagedVersions {
  private final String pom;
  private final Map<String, String> versions;

  private ManagedVersions(String pom, Map<String, String> versions) {
    this.pom = pom;
    this.versions = versions;
  }

  /**
   * Reads a POM in the version of the application's libraries of its group, or if there are none,
   * of the groups below.
   *
   * @param name its group and artifact
   * @param libraries the application's libraries
   * @param repository where the POM is, with its parents and imports
   * @return what it manages
   * @throws IOException if the POM can't be read, or the libraries have no version in common
   */
  public static ManagedVersions of(String name, List<Library> libraries, LocalRepository repository)
      throws IOException {
    String group = name.substring(0, name.indexOf(':'));
    String artifact = name.substring(group.length() + 1);
    List<String> found = versions(libraries, each -> each.equals(group));
    if (found.isEmpty()) {
      found = versions(libraries, each -> each.startsWith(group + "."));
    }
    if (found.size() > 1) { // some of its group may have versions of their own
      found =
          found.stream()
              .filter(each -> Files.exists(repository.pom(group, artifact, each)))
              .toList();
    }
    if (found.size() != 1) {
      throw new IOException("the libraries of " + group + " have the versions " + found);
    }
    String version = found.get(0);
    Model model = model(new LocalPoms(repository), group, artifact, version);
    Map<String, String> versions =
        Optional.ofNullable(model.getDependencyManagement())
            .map(DependencyManagement::getDependencies)
            .orElse(List.of())
            .stream()
            .filter(each -> each.getType().equals("jar"))
            .collect(Collectors.toMap(ManagedVersions::key, Dependency::getVersion, (a, b) -> a));
    return new ManagedVersions(name + ":" + version, versions);
  }

  private static List<String> versions(List<Library> libraries, Predicate<String> group) {
    return libraries.stream()
        .filter(each -> group.test(each.group()))
        .map(Library::version)
        .distinct()
        .toList();
  }

  private static Model model(LocalPoms poms, String group, String artifact, String version)
      throws IOException {
    try {
      ModelBuildingRequest request =
          new DefaultModelBuildingRequest()
              .setModelSource(poms.resolveModel(group, artifact, version))
              .setModelResolver(poms)
              .setSystemProperties(System.getProperties())
              .setValidationLevel(ModelBuildingRequest.VALIDATION_LEVEL_MINIMAL)
              .setProcessPlugins(false);
      return new DefaultModelBuilderFactory().newInstance().build(request).getEffectiveModel();
    } catch (UnresolvableModelException | ModelBuildingException failure) {
      throw new IOException(
          "Import " + group + ":" + artifact + " in the module's pom.xml. " + failure, failure);
    }
  }

  private static String key(Dependency managed) {
    String classifier = managed.getClassifier() == null ? "" : managed.getClassifier();
    return managed.getGroupId() + ":" + managed.getArtifactId() + ":" + classifier;
  }

  /**
   * Returns the version of a library.
   *
   * @param library the library
   * @return empty if the POM doesn't manage it
   */
  public Optional<String> version(Library library) {
    return Optional.ofNullable(versions.get(library.name() + ":" + library.classifier()));
  }

  @Override
  public String toString() {
    return pom;
  }
}
