package io.weir.compat.release;

import java.nio.file.Path;
import java.util.List;

/** Checks the bundle that is named first, with the keys of the GnuPG folder named second. */
public final class CheckBundle {
  private CheckBundle() {}

  public static void main(String[] args) throws Exception {
    Bundle bundle = Bundle.read(Path.of(args[0]));
    List<String> violations =
        new CentralRules(bundle, new GpgVerifier(Path.of(args[1]))).violations();
    violations.forEach(System.err::println);
    if (!violations.isEmpty()) {
      System.exit(1);
    }
    System.out.println(
        "fit for Maven Central: " + bundle.files().size() + " files, POMs " + bundle.poms().size());
  }
}
