// One script and one stylesheet, which the package carries; the same sources give the same bytes.
import { defineConfig } from "vite";

export default defineConfig({
  build: {
    target: "es2022",
    outDir: "../src/tlex/viewer/static",
    emptyOutDir: true,
    lib: {
      entry: "src/main.ts",
      formats: ["iife"],
      name: "tlex",
      fileName: () => "viewer.js",
      cssFileName: "viewer",
    },
  },
});
