package io.weir.compat.release;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.repository.WorkspaceReader;
import org.eclipse.aether.repository.WorkspaceRepository;

/**
 * Finds POMs without a network: ours in the folders of modules, as others read them, and all others
 * where Maven has downloaded them.
 */
final class PomsOnDisk implements WorkspaceReader {
  private final WorkspaceRepository name = new WorkspaceRepository("disk");
  private final Map<String, Path> ours = new TreeMap<>();
  private final List<Path> repositories;

  PomsOnDisk() throws IOException {
    this.repositories = repositories();
    try (Stream<Path> files = Files.walk(PublishedModules.ROOT, 5)) {
      for (Path pom : files.filter(PomsOnDisk::isModule).toList()) {
        ours.put(PublishedModules.read(pom).text("artifactId"), pom);
      }
    }
  }

  private static boolean isModule(Path file) {
    String path = PublishedModules.ROOT.relativize(file).toString();
    return file.endsWith("pom.xml")
        && !path.matches("(.*/)?(target|src|node_modules|\\..*)/.*")
        && !path.contains("consumer");
  }

  /** The local repository, and those that Maven asks after it. */
  private static List<Path> repositories() {
    List<Path> all = new ArrayList<>();
    all.add(Path.of(System.getProperty("localRepository")));
    Stream.of(System.getProperty("maven.repo.local.tail", "").split(","))
        .filter(each -> !each.isBlank())
        .map(each -> Path.of(each.strip()))
        .forEach(all::add);
    return all;
  }

  /** Has the POM of a module read as its build reads it, with its parent, or again as others do. */
  void readAsBuilt(String artifact, boolean isBuild) {
    Path folder = ours.get(artifact).getParent();
    ours.put(artifact, isBuild ? folder.resolve("pom.xml") : published(folder));
  }

  private static Path published(Path folder) {
    Path flattened = PublishedModules.flattened(folder);
    return Files.exists(flattened) ? flattened : folder.resolve("pom.xml");
  }

  @Override
  public WorkspaceRepository getRepository() {
    return name;
  }

  @Override
  public File findArtifact(Artifact artifact) {
    if (!artifact.getExtension().equals("pom")) {
      return null;
    }
    if (artifact.getGroupId().equals("io.weir")) {
      Path pom = ours.get(artifact.getArtifactId());
      return pom == null ? null : pom.toFile();
    }
    String file = artifact.getArtifactId() + "-" + artifact.getVersion() + ".pom";
    return repositories.stream()
        .map(
            each ->
                each.resolve(artifact.getGroupId().replace('.', '/'))
                    .resolve(artifact.getArtifactId())
                    .resolve(artifact.getVersion())
                    .resolve(file))
        .filter(Files::isRegularFile)
        .findFirst()
        .map(Path::toFile)
        .orElse(null);
  }

  @Override
  public List<String> findVersions(Artifact artifact) {
    return List.of();
  }
}
