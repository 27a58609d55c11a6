package io.weir.compat.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Finds the modules that {@code -Donly=published} builds, and reads their POMs. */
final class PublishedModules {
  static final Path ROOT = Path.of("../../..").toAbsolutePath().normalize();

  private PublishedModules() {}

  /** Returns the folders of the modules that say they are published, by artifact. */
  static SortedMap<String, Path> folders() throws IOException {
    SortedMap<String, Path> published = new TreeMap<>();
    for (Path folder : modulesBelow(ROOT)) {
      Pom pom = read(folder.resolve("pom.xml"));
      if (pom.text("properties/weir.unpublished").equals("false")) {
        published.put(pom.text("artifactId"), folder);
      }
    }
    return published;
  }

  /** Returns the POM that others read of a module, which the build has written. */
  static Path flattened(Path folder) {
    return folder.resolve(".flattened-pom.xml");
  }

  static Pom read(Path pom) throws IOException {
    return Pom.parse(Files.readAllBytes(pom));
  }

  /** Leaves out the modules of profiles: they aren't for users. */
  private static List<Path> modulesBelow(Path folder) throws IOException {
    List<Path> folders = new ArrayList<>();
    for (String module : read(folder.resolve("pom.xml")).texts("modules/module")) {
      Path path = folder.resolve(module);
      folders.add(path);
      folders.addAll(modulesBelow(path));
    }
    return folders;
  }
}
