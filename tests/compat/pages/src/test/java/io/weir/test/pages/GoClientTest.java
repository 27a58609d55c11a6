package io.weir.test.pages;

import io.weir.seeds.DeepOnly;
import java.util.List;

/** Builds and runs the Go of docs/languages.md; building its libraries takes long. */
@DeepOnly
class GoClientTest extends LanguageChecks {
  @Override
  String heading() {
    return "Go";
  }

  @Override
  String language() {
    return "go";
  }

  @Override
  String needed() {
    return "go";
  }

  @Override
  void install(PageProgram into, String client, String example) throws Exception {
    into.write("go.mod", "module example.org/shop\n\ngo 1.19\n")
        .write("weir/weir.go", client)
        .write("example/main.go", example)
        .copy("drive.go");
    into.run(List.of("go", "vet", "./..."));
    into.run(List.of("go", "build", "-o", "drive", "drive.go"));
    into.run(List.of("go", "build", "-o", "run-example", "./example"));
  }

  @Override
  List<String> driver() {
    return List.of(folder().resolve("drive").toString());
  }

  @Override
  List<String> example() {
    return List.of(folder().resolve("run-example").toString());
  }

  @Override
  List<String> exampleSays() {
    return List.of("200");
  }
}
